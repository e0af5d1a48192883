// Prompts that need an answer: votes, friend requests and invitations.

export interface Answer {
  label: string;
  primary?: boolean;
  /** The action of the button; alternatively it is a link to `href`. */
  act?: () => void;
  href?: string;
}

export interface Prompt {
  id: string;
  /** The subject, for screen readers. */
  label: string;
  text: string;
  answers: readonly Answer[];
}
