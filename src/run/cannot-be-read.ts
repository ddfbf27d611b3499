/** Why a file cannot be read, for people. Node's own words name the file at their end, where it has been said already. */
export function cannotBeRead(file: string, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return `${file} cannot be read: ${said.replace(`, open '${file}'`, "")}`;
}
