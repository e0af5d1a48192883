// The question that is open before something that cannot simply be undone: what happens, perhaps a reason or the
// password, yes or no.
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
