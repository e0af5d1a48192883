// Which of several answers on their way is the one that is still wanted.
export class Loads {
  private last = 0;

  /** A new request: the function says whether no later one has begun. */
  begin(): () => boolean {
    const mine = ++this.last;
    return () => mine === this.last;
  }
}
