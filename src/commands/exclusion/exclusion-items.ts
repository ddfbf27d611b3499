import type { Entity } from "../../directory/directory.ts";
import type { ActionExclusion } from "../../service/resources.ts";
import { formatDuration } from "../../time/duration.ts";
import type { CommandButton, Fact, FactValue, Item } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { exclusionFacts, expiryOf, instant, isSwitchedOff, mayAlter, processWords } from "./exclusion-body.ts";

/** One exclusion in a list; `more`: facts that follow its state. */
export function exclusionItem(exclusion: Entity<"exclusion">, context: FillContext, more: readonly Fact[] = []): Item {
  const { id, body } = exclusion;
  return {
    title: body.name ?? id,
    facts: [...stateFacts(body, context.now), ...more, ...exclusionFacts({ ...body, name: undefined })],
    buttons: exclusionButtons(exclusion, context),
  };
}

/** What an exclusion holds back and until when, or would if it were switched on. */
function stateFacts(body: ActionExclusion, now: number): readonly Fact[] {
  const end = body.expiryDate ? moments(body.expiryDate) : undefined;
  const held = processWords(body.processes);
  if (isSwitchedOff(body)) {
    const off: Fact[] = [
      { label: "State", value: "switched off" },
      { label: "Would hold back", value: held },
    ];
    return end ? [...off, { label: "Would end", value: end }] : off;
  }
  const until: Fact[] = end ? [{ label: "Until", value: end }] : [];
  return [...until, ...timeLeft(body, now), { label: "Holds back", value: held }];
}

/** The buttons that the requester may use. An exclusion that is switched off is edited instead of extended. */
function exclusionButtons(exclusion: Entity<"exclusion">, context: FillContext): readonly CommandButton[] {
  const input = { exclusion: exclusion.id };
  const buttons: CommandButton[] = [];
  if (mayAlter(exclusion, "ModifyActionExclusion", context)) {
    const isOff = isSwitchedOff(exclusion.body);
    const [label, words] = isOff ? (["Edit…", "exclusion edit"] as const) : (["Extend…", "exclusion extend"] as const);
    buttons.push({ label, words, opens: "form", input });
  }
  if (mayAlter(exclusion, "DeleteActionExclusion", context)) {
    buttons.push({ label: "End now", words: "exclusion end", opens: "result", input });
  }
  return buttons;
}

function timeLeft(body: ActionExclusion, now: number): readonly Fact[] {
  const end = expiryOf(body);
  return end === undefined ? [] : [{ label: "Left", value: formatDuration(end - now) }];
}

export function moments(timestamp: string): FactValue {
  const at = instant(timestamp);
  return at === undefined ? timestamp : { at };
}
