import type { Typed } from "../../src/sandbox/workspace/form-fields.ts";
import type { ChangeOperation } from "../../src/service/operations.ts";
import { ask, type CommandReply, exclusionIdIn, openForm, send } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";

/** One command that changes the service, with the data that each situation needs. */
export interface ChangeJourney {
  readonly words: string;
  readonly operation: ChangeOperation;
  /** Someone who may use it. */
  readonly by: string;
  /** Prepares the target and returns a complete line. */
  readonly line: (curfew: Curfew) => Promise<string>;
  /** Whether even a complete line opens the form to confirm it. */
  readonly confirms?: true;
  /** Part of the reply when it was done. */
  readonly done: string;
  /** Part of the reply when it was not. */
  readonly asked: string;
  readonly incomplete: {
    readonly line: (curfew: Curfew) => Promise<string>;
    /** A single missing choice is asked for first; the button of another answer opens the form. */
    readonly asks?: string;
    readonly form: string;
    readonly values: (line: string) => Readonly<Record<string, Typed>>;
  };
  /** The outcome when the service acts and its answer is lost: a create is never repeated, a refused repeat proves nothing. */
  readonly whenAnswerIsLost: { readonly state: "succeeded" | "unknown"; readonly requests: number };
}

const repeated = { state: "succeeded", requests: 2 } as const;
const sentOnce = { state: "unknown", requests: 1 } as const;
const nothingMore = () => ({});

export const changeJourneys: readonly ChangeJourney[] = [
  {
    words: "exclude",
    operation: "CreateActionExclusion",
    by: "alice",
    line: async () => "exclude i-0b4d1c9e7f2a63508 --project Development for 2h --another --reason “load test”",
    done: "Keeping i-0b4d1c9e7f2a63508 running",
    asked: "could not keep i-0b4d1c9e7f2a63508",
    incomplete: {
      line: async () => "exclude --another",
      form: "Keep running",
      values: () => ({ What: "i-0b4d1c9e7f2a63508" }),
    },
    whenAnswerIsLost: sentOnce,
  },
  {
    words: "exclusion create",
    operation: "CreateActionExclusion",
    by: "carol",
    line: async () => "exclusion create staging --process both --another for 3d",
    done: "Leaving staging alone",
    asked: "could not leave staging alone",
    incomplete: {
      line: async () => "exclusion create --another",
      form: "Keep running",
      values: () => ({
        What: "staging",
        "Resource type": "amazon-ec2-instance",
        Project: "p-dev",
        Effect: "Leave alone",
      }),
    },
    whenAnswerIsLost: sentOnce,
  },
  {
    words: "exclusion extend",
    operation: "ModifyActionExclusion",
    by: "alice",
    line: async (curfew) => `exclusion extend ${await newExclusion(curfew)} for 1h`,
    done: "(“Nightly run”): now until",
    asked: "could not extend i-",
    incomplete: {
      line: async (curfew) => `exclusion extend ${await newExclusion(curfew)}`,
      form: "Keep longer",
      values: nothingMore,
    },
    whenAnswerIsLost: repeated,
  },
  {
    words: "exclusion end",
    operation: "DeleteActionExclusion",
    by: "alice",
    line: async (curfew) => `exclusion end ${await newExclusion(curfew)}`,
    done: "You stopped keeping i-",
    asked: "could not stop keeping i-",
    incomplete: {
      line: async (curfew) => `exclusion end --reason ${await newExclusion(curfew)}`,
      form: "Stop keeping",
      values: (line) => ({ What: exclusionIdIn(line) }),
    },
    whenAnswerIsLost: repeated,
  },
  userStatus("enable", "enabled"),
  userStatus("disable", "disabled"),
  mfaRemoval("user remove-mfa", "Remove MFA", {
    done: "You removed the MFA of alice",
    asked: "remove the MFA of alice",
  }),
  mfaRemoval("user unlock", "Unlock user", {
    done: "You unlocked alice by removing their MFA",
    asked: "unlock alice by removing their MFA",
  }),
  {
    words: "project rename",
    operation: "ModifyProject",
    by: "carol",
    line: async () => "project rename p-prod Live <!channel> & kicking",
    done: "You renamed project",
    asked: "could not rename project",
    incomplete: {
      line: async () => "project rename p-prod",
      form: "Rename project",
      values: () => ({ "New name": "Production" }),
    },
    whenAnswerIsLost: repeated,
  },
];

/** Types a complete line and confirms it where needed. */
export async function perform(curfew: Curfew, { by, confirms }: ChangeJourney, line: string): Promise<CommandReply> {
  if (!confirms) return ask(curfew, by, line);
  await openForm(curfew, by, line);
  return send(curfew, by);
}

function userStatus(verb: "enable" | "disable", status: string): ChangeJourney {
  return {
    words: `user ${verb}`,
    operation: "ModifyUser",
    by: "bob",
    line: async () => `user ${verb} dave@example.com --reason "HR asked"`,
    done: `You ${status} dave`,
    asked: `could not ${verb} dave`,
    incomplete: {
      line: async () => `user ${verb}`,
      form: `${verb === "enable" ? "Enable" : "Disable"} user`,
      values: () => ({ User: "dave (u-00000004)" }),
    },
    whenAnswerIsLost: repeated,
  };
}

/** One of alice's own exclusions, since she may change no others. */
async function newExclusion(curfew: Curfew): Promise<string> {
  const { exclusionId } = await ask(curfew, "alice", 'exclude staging for 2h --another --name "Nightly run"');
  return exclusionId;
}

function mfaRemoval(
  words: string,
  form: string,
  said: { readonly done: string; readonly asked: string },
): ChangeJourney {
  return {
    words,
    operation: "RemoveUserMfa",
    by: "bob",
    line: async (curfew) => `${words} ${await withMfa(curfew)} google-auth`,
    confirms: true,
    done: said.done,
    asked: `could not ${said.asked}`,
    incomplete: {
      line: async (curfew) => `${words} --reason ${await withMfa(curfew)}`,
      form,
      values: () => ({ User: "alice (u-00000002)" }),
    },
    whenAnswerIsLost: { state: "unknown", requests: 2 },
  };
}

/** Gives alice an MFA device to remove. Where she had none, the next answer of the service says so. */
async function withMfa(curfew: Curfew): Promise<string> {
  const { users } = curfew.service.account;
  const alice = users.get("u-00000002");
  if (alice === undefined) throw new Error("The account has no alice.");
  users.set(alice.userId, { ...alice, mfaType: "google-auth" });
  if (alice.mfaType === "none") await ask(curfew, "bob", `user enable ${alice.userId}`);
  return alice.userId;
}
