import { change, type Frame, type Slots } from "./frame.ts";

/** Whether a time is neither now, nor past, nor without an end. */
const isAhead = (time: string): boolean =>
  time !== "" &&
  !/^(?:(?:as of|of|from|since|for|starting|effective) )?(?:now|today|2day|tonight|this (?:morning|afternoon|evening)|right now|yesterday.*|last .*|.* ago)$|\b(?:further notice|yesterday|ago)\b/i.test(
    time,
  );

const atOnce =
  (done: string) =>
  ({ time }: Pick<Slots, "time">) =>
    isAhead(time)
      ? `I can't plan that for later, nor end it by myself. An account is ${done} when you ask.`
      : undefined;

/** What opens a form is asked for one account. */
const oneByOne = ({ person }: Pick<Slots, "person">): string | undefined =>
  person.includes(" and ") ? "I do that for one account at a time. Each is confirmed in a form." : undefined;

const severalPolicies =
  "I detach one policy at a time: name it. Of a leaver, “offboard” detaches all of them, and disables the account.";

const disabling =
  "person time? | account login go offboard phone unlock need all stop anymore | mfa policy enable undo withdraw email unlocking";
const disabled = { refuses: atOnce("disabled") };

/** Accounts. */
const newEmail = {
  refuses: ({ address }: Slots) =>
    address.includes(" ") ? "Those are several addresses: give the new one only." : undefined,
};

export const accounts: readonly Frame[] = [
  // "is locked, please unlock"
  change("unlocking", "unlock {person}", "person | login account disable lockedOut need | mfa withdraw", {
    refuses: oneByOne,
    isConfirmed: true,
  }),
  change(
    "unlock|lockedOut",
    "unlock {person}",
    "person | login account reset up off enable phone need unlocking all | mfa disable withdraw",
    { refuses: oneByOne, isConfirmed: true },
  ),
  change(
    "mfa reset|unlock|off|detach|end|disable|release|go|turnOff|lockedOut",
    "remove mfa {person}",
    "person | account need phone lockedOut login go move enable up create unlock reset stop new change all | withdraw undo offboard",
    { refuses: oneByOne, isConfirmed: true },
  ),
  change("disable|turnOff|off|skip", "disable {person}", disabling, disabled),
  change(
    "end account",
    "disable {person}",
    "person time? | login off disable all | mfa policy enable undo withdraw email request",
    { ...disabled, isGuess: true },
  ),
  change(
    "enable|turnOn|up",
    "enable {person}",
    "person time? | account login go undo move create need all up newcomer | mfa disable policy email withdraw",
    { refuses: atOnce("enabled"), when: ({ senses }) => !senses.has("phone") && !senses.has("mfa") },
  ),
  change(
    "offboard",
    "offboard {person}",
    "person time? | account keep disable end go need all run start done move what everything policy mfa off | enable undo withdraw",
    {
      refuses: (slots) =>
        isAhead(slots.time) ? "I can't plan that for later: somebody is offboarded when you ask." : oneByOne(slots),
      isConfirmed: true,
    },
  ),
  change(
    "email|move|create|rename|need|change|new|correct|instead",
    "user email {person} to {address}",
    "person address | account up",
    newEmail,
  ),
  // A name beside an address may be somebody who is looked up.
  change("", "user email {person} to {address}", "person address | account up", { ...newEmail, isGuess: true }),
  change(
    "detach|off|turnOff|end|reset|release|withdraw|go|stop",
    ({ person, policy }) => `user detach-policy ${person} "${policy}"`,
    "person policy | policy account detach need go offboard disable keep anymore all off",
    { refuses: ({ policies }) => (policies > 1 ? severalPolicies : undefined) },
  ),
  // Which one is chosen in its form.
  change(
    "policy detach|off|turnOff|end|reset",
    "user detach-policy {person}",
    "person | policy account go wait up keep anymore all everything release | mfa disable enable",
    { refuses: ({ senses }) => (senses.has("all") || senses.has("everything") ? severalPolicies : undefined) },
  ),
  // "frank: policies, mfa, the lot"
  change(
    "policy mfa all|everything|account|login",
    "offboard {person}",
    "person | policy mfa account disable off end reset detach go move done what all everything wait up | enable undo",
    { isConfirmed: true, refuses: oneByOne },
  ),
];
