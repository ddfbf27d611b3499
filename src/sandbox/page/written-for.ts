/** Writes moments, as ISO text or epoch ms, shortly in a zone; empty for none. */
export function writtenFor(zone: string): (moment: string | number | null | undefined) => string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (moment) => (moment === null || moment === undefined || moment === "" ? "" : format.format(new Date(moment)));
}
