/** What a job is about; the number is found again in whatever is sent on its account. */
export function resourceOf(job: number): string {
  return `i-${job.toString(16).padStart(17, "0")}`;
}

/** The job that a request is on account of; undefined for one that is on nobody's. */
export function jobIn(text: string): number | undefined {
  const found = /i-([0-9a-f]{17})/.exec(text)?.[1];
  return found === undefined ? undefined : Number.parseInt(found, 16);
}
