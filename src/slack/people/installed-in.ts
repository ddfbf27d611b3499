/** The part of `auth.test`'s answer that says where the app is installed (PLATFORM.md §12.5). A missing field may also be null. */
interface Tested {
  readonly team_id?: string | null | undefined;
  readonly enterprise_id?: string | null | undefined;
  readonly is_enterprise_install?: boolean | undefined;
}

/** The id of the workspace that the app is installed in, or of the organization when it is installed for all of one. */
export function installedIn({ team_id, enterprise_id, is_enterprise_install }: Tested): string | undefined {
  return (is_enterprise_install ? enterprise_id || team_id : team_id) || undefined;
}
