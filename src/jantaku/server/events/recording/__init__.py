"""Games recorded at an event: hands, confirmations, disputes and the referees' desk."""
