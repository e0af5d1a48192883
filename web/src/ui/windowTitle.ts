/** Set the title; returns a function that restores the old one unless the title has changed since. */
export function setTitle(name: string): () => void {
  const [before, mine] = [document.title, `${name} · Jantaku`];
  document.title = mine;
  return () => {
    if (document.title === mine) document.title = before;
  };
}
