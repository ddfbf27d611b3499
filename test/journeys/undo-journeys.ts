import type { ChangeOperation } from "../../src/service/operations.ts";
import { ask, exclusionIdIn } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";

/** One command that can be undone. */
export interface UndoJourney {
  readonly words: string;
  /** Someone who may do and undo it. */
  readonly by: string;
  /** Prepares the target and returns a complete line. */
  readonly line: (curfew: Curfew) => Promise<string>;
  /** The request body that undoes it. */
  readonly operation: ChangeOperation;
  /** The target's state in the service, without who changed it last. */
  readonly state: (curfew: Curfew, line: string) => unknown;
}

const dave = "dave@example.com";
const userChange = {
  by: "bob",
  operation: "ModifyUser",
  state: ({ service }: Curfew) => content(service.account.users.get("u-00000004")),
} as const;
const exclusionChange = {
  by: "alice",
  operation: "ModifyActionExclusion",
  state: ({ service }: Curfew, line: string) => content(service.account.exclusions.get(exclusionIdIn(line))),
} as const;

export const undoJourneys: readonly UndoJourney[] = [
  { words: "user enable", ...userChange, line: after(`user disable ${dave}`, `user enable ${dave}`) },
  { words: "user disable", ...userChange, line: after(`user enable ${dave}`, `user disable ${dave}`) },
  { words: "user email", ...userChange, line: async () => `user email ${dave} dave@example.net` },
  {
    words: "project rename",
    by: "carol",
    line: async () => "project rename p-prod Live <!channel> & kicking",
    operation: "ModifyProject",
    state: ({ service }) => content(service.account.projects.get("p-prod")),
  },
  {
    words: "selector edit",
    by: "carol",
    line: async () =>
      'selector edit plan-00000001 sel-00000001 --name Renamed --regions "eu-west-1 us-east-1" --tags "Owner exists"',
    operation: "ModifyManagedServicesSelector",
    state: ({ service }) => content(service.account.selectors.get("sel-00000001")),
  },
  {
    words: "credential edit",
    by: "carol",
    line: async () => "credential edit cred-00000001 --name Renamed",
    operation: "ModifyCredential",
    state: ({ service }) => content(service.account.credentials.get("cred-00000001")),
  },
  {
    words: "exclusion create",
    by: "alice",
    line: async () => "exclude staging for 2h --another",
    operation: "DeleteActionExclusion",
    state: ({ service }) => [...service.account.exclusions.keys()],
  },
  {
    words: "exclusion extend",
    ...exclusionChange,
    line: async (curfew) => `exclusion extend ${await newExclusion(curfew)} for 1h`,
  },
  {
    words: "exclusion edit",
    ...exclusionChange,
    line: async (curfew) =>
      `exclusion edit ${await newExclusion(curfew)} --name Other --process both --enabled no --resource-ids i-0a1 for 5h`,
  },
];

function after(first: string, line: string) {
  return async (curfew: Curfew): Promise<string> => {
    await ask(curfew, "bob", first);
    return line;
  };
}

async function newExclusion(curfew: Curfew): Promise<string> {
  return (await ask(curfew, "alice", "exclude staging for 2h --another")).exclusionId;
}

function content(thing: object | undefined): unknown {
  const { lastModifiedBy, lastModifiedDate, ...rest } = Object.fromEntries(Object.entries(thing ?? {}));
  return rest;
}
