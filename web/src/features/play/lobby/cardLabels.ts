// What a card says beside its title, in a few words each.

/** The labels without empty ones, and without those that the title or an earlier label already says. */
export function labelsBeside(title: string, labels: readonly string[]): string[] {
  const said = [title.toLowerCase()];
  return labels.filter((label) => {
    const words = label.toLowerCase();
    if (!words || said.some((spoken) => spoken.split(" · ").includes(words))) return false;
    said.push(words);
    return true;
  });
}
