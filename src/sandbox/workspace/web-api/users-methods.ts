import { isForeign } from "../state/enterprise.ts";
import type { User } from "../state/people.ts";
import { allowances } from "../state/rate-limits.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import { type ApiMethod, fail, succeed } from "./api-method.ts";
import { cursorPage } from "./cursor-page.ts";
import { userObject } from "./user-object.ts";

const base = { token: "bot", takesJson: false } as const;

export const usersInfo: ApiMethod = {
  ...base,
  scope: "users:read",
  limit: allowances.tier4,
  run: (args, workspace) => {
    const user = workspace.people.get(args.text("user") ?? "");
    if (user === undefined) return fail("user_not_found");
    const locale = args.flag("include_locale") ? { locale: "en-GB" } : {};
    return succeed({ user: { ...userObject(user, workspace), ...locale } });
  },
};

export const usersList: ApiMethod = {
  ...base,
  scope: "users:read",
  limit: allowances.tier2,
  run: (args, workspace) => {
    const members = workspace.people.all().filter((user) => !isForeign(user, workspace));
    const page = cursorPage(members, args, members.length);
    if (typeof page === "string") return fail(page);
    return succeed({
      members: page.items.map((user) => userObject(user, workspace)),
      cache_ts: Math.floor(workspace.now() / 1000),
      response_metadata: page.metadata,
    });
  },
};

/** The error code is plural, and deactivated people are not found (PLATFORM.md §12.5). */
export const usersLookupByEmail: ApiMethod = {
  ...base,
  scope: "users:read.email",
  limit: allowances.tier3,
  run: (args, workspace) => {
    const email = args.text("email")?.toLowerCase();
    const user = workspace.people
      .all()
      .find((each) => each.email?.toLowerCase() === email && isReachable(each, workspace));
    return email === undefined || user === undefined
      ? fail("users_not_found")
      : succeed({ user: userObject(user, workspace) });
  },
};

function isReachable(user: User, workspace: WorkspaceState): boolean {
  return user.deleted !== true && user.isBot !== true && !isForeign(user, workspace);
}
