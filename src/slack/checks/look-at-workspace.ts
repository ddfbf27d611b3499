import type { Logger } from "../../observability/log.ts";
import { pages } from "../people/pages.ts";
import { createCheckClient } from "./check-client.ts";
import { refusalText, slackRefusal } from "./slack-refusal.ts";

interface Named {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

const pageSize = 1000;

/** The user groups and channels that a bot token shows, why some are not known, and who has an e-mail address or id. Changes nothing. */
export async function lookAtWorkspace(token: string, apiUrl: string | undefined, log: Logger) {
  const { client } = createCheckClient({ token, apiUrl, now: Date.now, log });
  const problems: string[] = [];
  const listed = async (what: string, read: () => Promise<readonly Named[]>) => {
    try {
      return (await read()).flatMap(({ id, name }) => (id && name ? [{ id, name }] : []));
    } catch (error) {
      problems.push(`The ${what} of the workspace are not known: ${refusalText(slackRefusal(error))}.`);
      return [];
    }
  };
  const readGroups = async () =>
    ((await client.usergroups.list({})).usergroups ?? []).map(({ id, handle }) => ({
      id,
      name: handle && `@${handle}`,
    }));
  const readChannels = async () => {
    const asked = { types: "public_channel,private_channel", exclude_archived: true, limit: pageSize };
    const found: Named[] = [];
    for await (const { channels = [] } of pages((cursor) => client.conversations.list({ ...asked, ...cursor })))
      found.push(...channels.map(({ id, name }) => ({ id, name: name && `#${name}` })));
    return found;
  };
  const [groups, channels] = await Promise.all([listed("user groups", readGroups), listed("channels", readChannels)]);
  const find = (person: string) =>
    (person.includes("@") ? client.users.lookupByEmail({ email: person }) : client.users.info({ user: person })).then(
      ({ user }) => user,
      () => undefined,
    );
  return { groups, channels, problems, find };
}
