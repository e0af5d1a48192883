/** The parts of a path; one that is wrongly encoded stays as it is. */
export function partsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}
