import { couldBeId } from "../../service/could-be-id.ts";
import { type Reading, type ReadingContext, value } from "./field-kind.ts";
import { unwrapLinks, withoutInvisible } from "./plain-letters.ts";
import { knownOtherwise } from "./reference-choice.ts";

/** A user by their address and the id that the service's console shows: Curfew may know neither. */
export interface AddressWithId {
  /** An e-mail address, or a Slack user id. */
  readonly address: string;
  readonly isMention: boolean;
  readonly id: string;
}

const pair =
  /^(?:<@(?<person>[UW][A-Z0-9]+)(?:\|[^>]*)?>|(?:<mailto:[^|>]*\|)?(?<address>[^\s<>|@]+@[^\s<>|,;@]+)>?)[,;:]?\s+\(?(?<said>(?:with )?id:?\s+)?(?<id>[^\s()<>@]+)\)?$/i;

export function addressWithId(typed: string): AddressWithId | undefined {
  const { person, address, said, id } = pair.exec(unwrapLinks(withoutInvisible(typed)).trim())?.groups ?? {};
  // A word such as “now” is no id, unless somebody says so.
  if (id === undefined || !couldBeId(id) || !(said || /\d/.test(id))) return undefined;
  if (person !== undefined) return { address: person, isMention: true, id };
  return address === undefined ? undefined : { address, isMention: false, id };
}

/**
 * The id counts, as the person took it from the service: the answer then says the address, by which Curfew knows them from then on.
 * What contradicts what Curfew knows already is asked about.
 */
export async function readAddressWithId(
  typed: string,
  { address, isMention, id }: AddressWithId,
  context: ReadingContext,
): Promise<Reading> {
  const { directory } = context;
  const email = isMention ? await context.emailOf(address) : address;
  if (!email) return value((await directory.get("user", id))?.id ?? id);
  const byAddress = await directory.match("user", email);
  const byId = await directory.get("user", id);
  if (byAddress.some((user) => user.id === byId?.id)) return value(byId?.id);
  const [other] = byAddress;
  const known = other ?? (byId?.email ? byId : undefined);
  if (!known) return value(byId?.id ?? id);
  const said = isMention ? `${email} (the address in Slack), ${id}` : typed.trim();
  return knownOtherwise(said, known, context);
}
