import { foundElsewhere } from "../../../changes/announce.ts";
import type { Change } from "../../../changes/change.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { elsewhereWords } from "../../../commands/changed-elsewhere.ts";
import { withButtons } from "../button.ts";
import type { CardContext } from "../cards/card-context.ts";
import { bodyAfter } from "../cards/exclusion-state.ts";
import { subject } from "../cards/exclusion-words.ts";
import { clip, contextBlock, date, literal, type Message, md, mrkdwn, sentence } from "../message.ts";

/** Somebody ended or changed an exclusion in the service, as a change of it found out. */
export function foundElsewhereMessage(change: Change, context: CardContext): Message | undefined {
  const found = foundElsewhere(change);
  if (!found) return undefined;
  const zone = change.actor.timeZone;
  const body = bodyAfter([change]);
  const differences = found.what === "changed" ? found.differences : [];
  const { details } = elsewhereWords({ what: "changed", differences });
  const start = md`:pencil2: The exclusion of ${subject(body, context)} was ${found.what} in the service, not by Curfew`;
  const noticed = md`Noticed ${date(change.settledAt ?? change.requestedAt, zone)}, when ${literal(change.actor.name, 80)} wanted to change it`;
  const show: CommandButton = { label: "History", words: "history", opens: "result", input: { which: change.id } };
  return withButtons(
    {
      text: literal(clip(`An exclusion was ${found.what} in the service, not by Curfew`, 1000)),
      blocks: [
        {
          type: "section",
          text: mrkdwn(md`${start}${details.length > 0 ? md`: ${sentence(details, zone, 150)}` : ""}`),
        },
        contextBlock(noticed),
      ],
    },
    [show],
  );
}
