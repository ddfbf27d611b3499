interface Audited {
  createdDate: string;
  lastModifiedDate: string;
  lastModifiedBy: string;
}

/** Who last changed a seed, and the days on which it was made and changed. */
export function audited(lastModifiedBy: string, created: string, modified = created): Audited {
  return { createdDate: `${created}T09:12:00Z`, lastModifiedDate: `${modified}T14:40:00Z`, lastModifiedBy };
}
