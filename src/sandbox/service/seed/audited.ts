interface Audited {
  createdDate: string;
  lastModifiedDate: string;
  lastModifiedBy: string;
}

/** The audit fields of a seed, from the days it was created and last changed. */
export function audited(lastModifiedBy: string, created: string, modified = created): Audited {
  return { createdDate: `${created}T09:12:00Z`, lastModifiedDate: `${modified}T14:40:00Z`, lastModifiedBy };
}
