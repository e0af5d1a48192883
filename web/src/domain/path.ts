/** The decoded segments of a path; a badly encoded one stays as it is. */
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
