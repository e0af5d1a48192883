// What somebody else asks of me. One shape for votes, requests and invitations.

export interface Answer {
  label: string;
  primary?: boolean;
  /** What it does, or where it leads. */
  act?: () => void;
  href?: string;
}

export interface Prompt {
  id: string;
  /** What it is about, for a screen reader. */
  label: string;
  text: string;
  answers: readonly Answer[];
}
