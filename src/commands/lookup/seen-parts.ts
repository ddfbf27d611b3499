import { resourceKeys } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { type CommandButton, inWords, type Line, resultButton } from "../answer.ts";
import { type ActionChangedElsewhere, elsewhereWords, type SeenAction, withNames } from "../changed-elsewhere.ts";
import type { QueryContext } from "../command.ts";
import type { Thing } from "../thing.ts";
import { maySeeProject } from "./may-see.ts";

const latelyMs = 7 * 24 * 3_600_000;

/** What somebody did to an action in the service within a week. */
export const changedLately = (seen: SeenAction | undefined, now: number): SeenAction["change"] =>
  seen?.change && seen.change.seenAt > now - latelyMs ? seen.change : undefined;

interface Asked {
  readonly things?: readonly Thing[] | undefined;
  /** A Slack user: what they did in the service with the same e-mail address. */
  readonly by?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** When it was done, else when it was seen. */
export const doneAt = ({ at, seenAt }: Pick<ActionChangedElsewhere, "at" | "seenAt">): number => at ?? seenAt;

/** What was changed in the service itself and the requester may see, the latest first. */
export async function changesSeen(asked: Asked, context: QueryContext): Promise<readonly ActionChangedElsewhere[]> {
  const { things, by, since = 0, until = Number.POSITIVE_INFINITY } = asked;
  const users = by === undefined ? undefined : await usersOf(by, context);
  return (await context.seenChanges())
    .filter(
      (change) =>
        maySeeProject(context, change.projectId) &&
        doneAt(change) >= since &&
        doneAt(change) < until &&
        (users === undefined || (change.by !== null && users.includes(change.by))) &&
        (things === undefined || things.some((thing) => isAbout(change, thing, context))),
    )
    .toSorted((one, other) => doneAt(other) - doneAt(one));
}

async function usersOf(slackUserId: string, { actor, personIn, directory }: QueryContext): Promise<readonly string[]> {
  const email = slackUserId === actor.userId ? actor.email : (await personIn(slackUserId))?.email;
  return email === undefined ? [] : (await directory.match("user", email)).map(({ id }) => id);
}

function isAbout({ actionId, name, projectId, by }: ActionChangedElsewhere, thing: Thing, context: QueryContext) {
  if (thing.kind === "project") return projectId === thing.id;
  if (thing.kind === "user") return by === thing.id;
  if (thing.kind !== "resources") return thing.kind === "action" && actionId === thing.id;
  const keys = new Set(thing.ids.flatMap(resourceKeys));
  return Object.values(context.settings.resourceGroups).some(
    ({ project, actions = [], ids }) =>
      project === projectId &&
      actions.some((action) => action === actionId || action.toLowerCase() === name.toLowerCase()) &&
      ids.flatMap(resourceKeys).some((key) => keys.has(key)),
  );
}

/** "Stop staging · changed in the service itself by bob, today 14:02: 19:00 → 18:00" */
export async function seenLine(change: ActionChangedElsewhere, context: QueryContext): Promise<Line> {
  const { now, directory, actor } = context;
  const { actionId: id, name } = change;
  const named = await withNames(change, async (kind, of) => (await directory.get(kind, of))?.name ?? of);
  const moment = (at: number) => shortMoment(at, actor.timeZone, now);
  const found = elsewhereWords(named);
  const [verb, details] = [inWords(found.verb, moment), inWords(found.details, moment)];
  const who = named.by === null ? "" : ` by ${named.by}`;
  const when = named.at === null ? `, seen ${moment(named.seenAt)}` : `, ${moment(named.at)}`;
  const what = `${verb} in the service itself${who}${when}`;
  const whole = `${what}${details && `: ${details}`}`;
  // A part is cut where it is long.
  const parts = whole.length > longestPart && details ? [what, details] : [whole];
  const menu: readonly CommandButton[] = [resultButton("Details", "action show", { action: id })];
  return { id: `${id} ${change.seenAt}`, sign: "none", name: name || id, parts, menu };
}

const longestPart = 80;
