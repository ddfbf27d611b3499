/** The text of a job. Its number appears in everything that is sent for it. */
export function resourceOf(job: number): string {
  return `i-${job.toString(16).padStart(17, "0")}`;
}

/** The job that a request belongs to; undefined for a request without one. */
export function jobIn(text: string): number | undefined {
  const found = /i-([0-9a-f]{17})/.exec(text)?.[1];
  return found === undefined ? undefined : Number.parseInt(found, 16);
}
