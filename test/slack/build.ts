import type { NewEntity } from "../../src/directory/directory.ts";
import type { Word } from "../../src/language/tokenize.ts";
import type { ReadingContext } from "../../src/slack/fields/field-kind.ts";
import { aContext, anExclusion } from "../changes/build.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";

const user = (id: string, username: string, emailAddress: string): NewEntity => ({
  kind: "user",
  id,
  body: { userId: id, username, emailAddress, mfaType: "google-auth" },
});
const project = (id: string, name: string): NewEntity => ({ kind: "project", id, body: { projectId: id, name } });

/** Two projects share a name, and one has a hostile name. */
export const things: readonly NewEntity[] = [
  user("u-1", "bob", "bob@example.com"),
  user("u-2", "Alice", "alice@example.com"),
  user("u-3", "twin", "twins@example.com"),
  user("u-4", "twin", "twins@example.com"),
  project("p-dev", "Development"),
  project("p-1", "Shop"),
  project("p-2", "shop"),
  project("p-odd", "<!channel> & co"),
  { kind: "exclusion", id: "ae-1", body: anExclusion(), ownerId: "U01ALICE" },
];

const emails: Readonly<Record<string, string>> = { U02BOB: "bob@example.com", U03TWIN: "twins@example.com" };

/** Alice in the channel #ops, Friday noon, unless `facts` say otherwise. */
export const aReadingContext = (facts: Partial<ReadingContext> = {}): ReadingContext => ({
  ...aContext({ directory: createMemoryDirectory(things) }),
  may: () => true,
  read: () => Promise.reject(new Error("This test reads nothing.")),
  emailOf: async (slackUserId) => emails[slackUserId],
  nameOf: async (slackUserId) => slackUserId.slice(3).toLowerCase(),
  nameable: async (entities) => entities,
  usable: (entities) => entities,
  ...facts,
});

export const word = (value: string, isQuoted = false): Word => ({ value, isQuoted, start: 0 });
export const words = (...values: readonly string[]): readonly Word[] => values.map((value) => word(value));
