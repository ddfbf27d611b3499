import type { BulletinContent } from "../../../changes/bulletin.ts";
import { actionList, actionShow } from "../../../commands/action.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import type { ActionChangedElsewhere } from "../../../commands/changed-elsewhere.ts";
import { elsewhereWords, type NameOf, withNames } from "../../../commands/changed-elsewhere.ts";
import { withButtons } from "../button.ts";
import {
  bold,
  clip,
  clipMrkdwn,
  contextBlock,
  date,
  join,
  limits,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mrkdwn,
  sentence,
} from "../message.ts";
import type { BulletinSources } from "./bulletin-sources.ts";

const shownActions = 5;
const longestName = 80;
const longestValue = 150;
/** So that five lines fit into one section. */
const longestLine = Math.floor(limits.sectionText / shownActions) - 1;

/** What was changed in the service itself: one line for each action. */
export async function elsewhereMessage(
  { actions, since }: Extract<BulletinContent, { readonly kind: "elsewhere" }>,
  zone: string,
  { store }: Pick<BulletinSources, "store">,
): Promise<Message> {
  const nameOf: NameOf = async (kind, id) => (await store.get(kind, id))?.name ?? id;
  const shown = await Promise.all(
    actions.slice(0, shownActions).map(async (action) => ({
      ...(await withNames(action, nameOf)),
      projectId: action.projectId === null ? null : await nameOf("project", action.projectId),
    })),
  );
  const lines = shown.map((action) => lineOf(action, zone));
  const more = actions.length - shownActions;
  const small = join(
    [
      ...(since === null ? [] : [md`Changed since ${date(since, zone)}: Curfew could not look for a while.`]),
      ...(more > 0 ? [md`And ${more} more.`] : []),
      ...(actions.length === 1 ? placesIn(shown) : []),
    ],
    " · ",
  );
  const message: Message = {
    text: literal(clip(`In the service: ${actions.map(inShort).join(", ")}`, 1000)),
    blocks: [{ type: "section", text: mrkdwn(join(lines, "\n")) }, ...(small ? [contextBlock(small)] : [])],
  };
  return withButtons(message, buttonsFor(actions));
}

const inShort = ({ name, what }: ActionChangedElsewhere): string => `${name} was ${what}`;

/** The project, unless the line says it. */
function placesIn(shown: readonly ActionChangedElsewhere[]): readonly Mrkdwn[] {
  return shown.flatMap(({ projectId, differences }) =>
    projectId === null || differences.some(({ part }) => part === "project") ? [] : [literal(projectId, longestName)],
  );
}

const icons = { created: ":new:", changed: ":pencil2:", deleted: ":wastebasket:" } as const;

function lineOf(action: ActionChangedElsewhere, zone: string): Mrkdwn {
  const { name, what, by, at } = action;
  const { verb, details } = elsewhereWords(action);
  const start = md`${icons[what]} ${bold(name, longestName)} was ${sentence(verb, zone, longestValue)} in the service`;
  const who = [...(by === null ? [] : [md`by ${literal(by, longestName)}`]), ...(at === null ? [] : [date(at, zone)])];
  const end = who.length > 0 ? md` (${join(who, ", ")})` : "";
  const room = Math.max(1, longestLine - start.length - end.length);
  const more = clipMrkdwn(sentence(details, zone, longestValue), room);
  return md`${start}${more ? md`: ${more}` : ""}${end}`;
}

/** What is left to look at. */
function buttonsFor(actions: readonly ActionChangedElsewhere[]): readonly CommandButton[] {
  const [only, ...others] = actions.filter(({ what }) => what !== "deleted");
  if (!only) return [];
  return others.length === 0
    ? [{ label: "Show the action", words: actionShow.words, opens: "result", input: { action: only.actionId } }]
    : [{ label: "Show all actions", words: actionList.words, opens: "result", input: {} }];
}
