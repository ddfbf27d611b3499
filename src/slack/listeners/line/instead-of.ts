import type { CommandButton } from "../../../commands/answer.ts";
import type { Field } from "../../../commands/field.ts";
import { userShow } from "../../../commands/lookup/user-show.ts";
import type { SplitLine } from "../../../language/split-line.ts";
import { readParts } from "../../fields/read-fields.ts";
import { clip } from "../../messages/text.ts";
import type { Access } from "../access.ts";
import type { RequestContext } from "../request-context.ts";

/** What its requester may ask in place of a refused question about a thing: to be shown the user of that name. */
export async function insteadOf(
  access: Access,
  { command, parts }: SplitLine,
  context: RequestContext,
): Promise<readonly CommandButton[]> {
  const asked = Object.entries<Field>(command.fields).find(([, { positional }]) => positional !== undefined);
  const words = asked && parts.get(asked[0]);
  if (command.kind !== "query" || !words || !access.isOffered(userShow, context)) return [];
  const { input, missing, problems, choices } = await readParts(userShow, new Map([["user", words]]), context);
  const isRead = missing.length === 0 && Object.keys({ ...problems, ...choices }).length === 0;
  const name = words.map(({ value }) => value).join(" ");
  const label = /[<>]/.test(name) ? userShow.title : clip(`Show user ${name}`, 75);
  return isRead ? [{ label, words: userShow.words, opens: "result", input }] : [];
}
