import { findWindows, WINDOWS_TO_IANA_MAP } from "windows-iana";

/** The Windows id for an IANA zone; undefined for one that Windows does not have. */
export function windowsZone(iana: string): string | undefined {
  // The table may know a zone by an older alias only, the one that Intl resolves it to.
  const [name] = [iana, new Intl.DateTimeFormat("en-US", { timeZone: iana }).resolvedOptions().timeZone].flatMap((id) =>
    findWindows(id),
  );
  return name;
}

/** Whether an id is Windows's, in any case; `UTC` is one of both kinds. */
export function isWindowsZone(id: string): boolean {
  return windowsNames().has(id.trim().toLowerCase());
}

let names: ReadonlySet<string> | undefined;

function windowsNames(): ReadonlySet<string> {
  names ??= new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName.toLowerCase()));
  return names;
}
