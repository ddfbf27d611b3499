import type { Entity } from "../../directory/directory.ts";
import { consoleAddress } from "../../permissions/requirements.ts";
import type { ActionExclusion } from "../../service/resources.ts";
import { formatDuration } from "../../time/duration.ts";
import type { CommandButton, Line, LinePart } from "../answer.ts";
import type { FillContext, QueryContext } from "../command.ts";
import type { ExclusionOrigin } from "../query-ports.ts";
import {
  byEnd,
  expiryOf,
  idInService,
  instant,
  isSameMoment,
  isSwitchedOff,
  mayAlter,
  processesOf,
  processWords,
  resourceWords,
  startOf,
} from "./exclusion-body.ts";
import { anHourMore, shortenButton } from "./exclusion-extend.ts";
import { groupOf } from "./resource-context.ts";

type Exclusion = Entity<"exclusion">;

/**
 * Exclusions, one a line, each with its owner and reason. Those of several projects also say where they are. `saysSince`: also since when
 * they hold.
 */
export async function exclusionLines(
  exclusions: readonly Exclusion[],
  context: QueryContext,
  saysSince = false,
): Promise<readonly Line[]> {
  if (exclusions.length === 0) return [];
  const origins = await context.origins(exclusions.map(({ id }) => id));
  const isOneProject = new Set(exclusions.map(({ projectId }) => projectId)).size === 1;
  return Promise.all(
    exclusions.map(async (exclusion) => {
      const place = isOneProject ? [] : await placeWords(exclusion, context);
      const since = saysSince ? sinceParts(exclusion, context.now) : [];
      return exclusionLine(exclusion, origins.get(exclusion.id) ?? {}, { place, since }, context);
    }),
  );
}

async function placeWords({ projectId }: Exclusion, { directory }: FillContext): Promise<readonly string[]> {
  return projectId === null ? [] : [(await directory.get("project", projectId))?.name ?? projectId];
}

function exclusionLine(
  exclusion: Exclusion,
  origin: ExclusionOrigin,
  { place, since }: { readonly place: readonly string[]; readonly since: readonly LinePart[] },
  context: FillContext,
): Line {
  const { id, body } = exclusion;
  const { name, covers } = namesOf(exclusion, context);
  const over = endOf(exclusion, context.now);
  const isOff = isSwitchedOff(body);
  const { endedBy, endReason } = over === undefined ? {} : origin;
  return {
    id,
    sign: over === undefined ? (isOff ? "off" : "on") : "over",
    name,
    address: consoleAddress(context.settings, "exclusion", idInService(body) ?? id),
    parts: [
      ...covers,
      ...heldWords(body),
      ...whenParts(exclusion, over, context.now),
      ...since,
      ...(endedBy === undefined ? [] : [{ before: "ended by ", person: endedBy }]),
      ...(endReason === undefined ? [] : [endReason]),
      ownerPart(exclusion, context),
      ...(origin.reason ? [origin.reason] : []),
      ...place,
    ],
    menu: over === undefined ? exclusionMenu(exclusion, context) : [historyButton(exclusion)],
  };
}

/** Its group or resources, and before them the name that somebody gave it. One made from its maker and resources says nothing more. */
function namesOf({ id, body }: Exclusion, { settings }: FillContext): { name: string; covers: readonly string[] } {
  const ids = body.resourceIds ?? [];
  const what = groupOf(ids, settings.resourceGroups) ?? (ids.length > 0 ? resourceWords(ids, shownIds) : undefined);
  const given = body.name ?? id;
  const isMade = [...Object.keys(settings.resourceGroups), resourceWords(ids)].some((made) =>
    given.endsWith(`: ${made}`),
  );
  if (what === undefined) return { name: given, covers: [] };
  return isMade || given === what ? { name: what, covers: [] } : { name: given, covers: [what] };
}

const shownIds = 2;

/** Nothing for one that only keeps things running, as most do. */
function heldWords({ processes }: ActionExclusion): readonly string[] {
  const held = (processes ?? []).join(" ");
  if (held === processesOf.stop.join(" ")) return [];
  if (held === processesOf.start.join(" ")) return ["kept off"];
  return processesOf.both.every((each) => processes?.includes(each))
    ? ["left alone"]
    : [`from ${processWords(processes ?? undefined)}`];
}

function sinceParts(exclusion: Exclusion, now: number): readonly LinePart[] {
  const start = startOf(exclusion.body);
  if (start === undefined || start > now) return [];
  return [{ before: endOf(exclusion, now) === undefined ? "since " : "began ", at: start }];
}

function whenParts({ body }: Exclusion, over: number | undefined, now: number): readonly LinePart[] {
  if (over !== undefined) return [{ before: "over since ", at: over }];
  const end = expiryOf(body);
  if (isSwitchedOff(body)) return ["switched off", ...(end === undefined ? [] : [{ before: "would end ", at: end }])];
  const start = instant(body.startDate);
  return [
    ...(start !== undefined && start > now ? [{ before: "from ", at: start }] : []),
    ...(end === undefined ? [] : [{ before: "until ", at: end, after: ` (${formatDuration(end - now)} left)` }]),
    ...byEnd(body).flatMap((each) => {
      const earlier = expiryOf(each);
      const isEarlier = earlier !== undefined && !isSameMoment(earlier, end);
      return isEarlier ? [{ before: `${resourceWords(each.resourceIds ?? [], shownIds)} until `, at: earlier }] : [];
    }),
  ];
}

function ownerPart({ ownerId }: Exclusion, { actor }: FillContext): LinePart {
  if (ownerId === null) return "made outside Curfew";
  return ownerId === actor.userId ? "you" : { person: ownerId };
}

/** What the requester may do with it. One that is switched off is edited instead of extended. */
function exclusionMenu(exclusion: Exclusion, context: FillContext): readonly CommandButton[] {
  const input = { exclusion: exclusion.id };
  const mayModify = mayAlter(exclusion, "ModifyActionExclusion", context);
  const mayEnd = mayAlter(exclusion, "DeleteActionExclusion", context);
  const extend: readonly CommandButton[] = isSwitchedOff(exclusion.body)
    ? []
    : [
        anHourMore(exclusion.id, expiryOf(exclusion.body)),
        { label: "Extend…", words: "exclusion extend", opens: "form", input },
        shortenButton(exclusion.id),
      ];
  return [
    ...(mayModify ? extend : []),
    ...(mayEnd ? [{ label: "End now", words: "exclusion end", opens: "result", input } as const] : []),
    ...(mayModify ? [{ label: "Edit…", words: "exclusion edit", opens: "form", input } as const] : []),
    historyButton(exclusion),
  ];
}

const historyButton = ({ id }: Exclusion): CommandButton => ({
  ...{ label: "History", words: "history", opens: "result", input: { which: `exclusion ${id}` } },
});

/** When an exclusion ended or expired, in epoch ms; undefined if it is not over. */
export function endOf({ endedAt, body }: Exclusion, now: number): number | undefined {
  const expiry = expiryOf(body);
  const expiredAt = expiry !== undefined && expiry <= now ? expiry : undefined;
  return endedAt !== null ? Math.min(endedAt, expiredAt ?? endedAt) : expiredAt;
}
