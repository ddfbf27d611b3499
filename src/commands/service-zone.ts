import { isWindowsZone, windowsZone } from "../time/windows-zone.ts";
import { ianaZone } from "../time/zone.ts";
import type { PrepareContext } from "./command.ts";

/**
 * A zone by the kind of id that the service itself uses, IANA or Windows, as its actions' schedules show. As it was given when they
 * use both kinds or tell nothing (design.md, "Left open by spec.md").
 */
export async function serviceZone(id: string, { read }: PrepareContext): Promise<string> {
  const listed = await read("ListActions", {});
  const actions = listed.kind === "succeeded" ? (listed.answer ?? []) : [];
  const zones = new Set(actions.flatMap(({ schedule }) => schedule?.timeZoneId ?? []));
  const used = [...zones].filter((zone) => !isOfBothKinds(zone));
  if (used.length === 0) return id;
  if (used.every(isWindowsZone)) return isWindowsZone(id) ? id : (windowsZone(ianaZone(id) ?? "UTC") ?? id);
  return used.some(isWindowsZone) ? id : (ianaZone(id) ?? id);
}

const isOfBothKinds = (zone: string): boolean => zone.trim().toUpperCase() === "UTC";
