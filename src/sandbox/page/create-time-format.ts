/** Formats ISO text or epoch milliseconds briefly in a zone; an absent value becomes empty. */
export function createTimeFormat(zone: string): (moment: string | number | null | undefined) => string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (moment) => (moment === null || moment === undefined || moment === "" ? "" : format.format(new Date(moment)));
}
