import type { Command } from "../../../commands/command.ts";
import { flagOf } from "../../../language/flag.ts";
import { complete, type FieldsRead } from "../../fields/read-fields.ts";
import type { Message } from "../../messages/message.ts";
import { noticeMessage } from "../../messages/notices.ts";
import type { ReplyDetail } from "../program-reply.ts";
import type { RequestContext } from "../request-context.ts";

/** The answer to a question that only asks whether what was typed is really meant, such as an id that Curfew has not seen. */
function confirmable({ choices, typed }: FieldsRead) {
  return Object.entries(choices).flatMap(([field, { options }]) => {
    const same = options.find(({ value }) => value === typed[field]);
    return same ? [{ field, ...same }] : [];
  });
}

/** The fields with everything confirmed that can be. A guess of another name is not taken: the line must say it. */
export async function withConfirmed(command: Command, read: FieldsRead, context: RequestContext): Promise<FieldsRead> {
  const given = Object.fromEntries(confirmable(read).map(({ field, value }) => [field, value]));
  if (Object.keys(given).length === 0) return read;
  const choices = Object.fromEntries(Object.entries(read.choices).filter(([field]) => !(field in given)));
  const { problems, typed, input } = read;
  const completed = await complete(command, { problems, typed, choices, input: { ...input, ...given } }, context);
  return { ...read, ...completed };
}

/** What a question with ready answers says to a program. */
export function choiceDetail(read: FieldsRead): ReplyDetail {
  const labels = confirmable(read).map(({ label }) => label);
  return { kind: "question", confirm: labels.length > 0 ? labels.join("; ") : undefined };
}

/** What a person would do in a form: give what is missing, correct what is wrong, or confirm. */
export function questionToProgram(command: Command, { missing, problems }: FieldsRead): [Message, ReplyDetail] {
  const labels = missing.map((name) => `${command.fields[name]?.label ?? name} (--${flagOf(name)})`);
  const isComplete = missing.length === 0 && Object.keys(problems).length === 0;
  const confirm = isComplete && command.kind === "change" ? command.confirms : undefined;
  const sentences = [
    ...Object.values(problems),
    ...(labels.length > 0 ? [`${command.title} also needs: ${labels.join(", ")}. Add it to the line.`] : []),
    ...(confirm === undefined ? [] : [`${confirm} Send the line again with "confirm": true.`]),
  ];
  const text = `${sentences.join(" ")} Nothing was changed.`;
  return [noticeMessage(":question:", text), { kind: "question", missing, problems, confirm }];
}
