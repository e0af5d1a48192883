"""Friends: who they are, where they play, invitations to tables, and the card of a person."""
