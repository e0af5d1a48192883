// The open confirmation before an action that is hard to undo; it may require a reason or the password.
export interface Question {
  title: string;
  about?: string;
  act: string;
  why?: "optional" | "needed" | "password";
  danger?: boolean;
  go: (why: string) => Promise<unknown>;
}

const asking = $state<{ question: Question | null }>({ question: null });

export function openQuestion(): Question | null {
  return asking.question;
}

export function askQuestion(question: Question): void {
  asking.question = question;
}

export function dropQuestion(): void {
  asking.question = null;
}
