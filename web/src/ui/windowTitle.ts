/** Show a name as the title; returns what undoes it, unless somebody else has changed the title since. */
export function setTitle(name: string): () => void {
  const [before, mine] = [document.title, `${name} · Jantaku`];
  document.title = mine;
  return () => {
    if (document.title === mine) document.title = before;
  };
}
