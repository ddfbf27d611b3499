import { change, type Frame, type Slots, type Terms } from "./frame.ts";

/** Whether a time is neither now, nor past, nor without an end. */
const isAhead = (time: string): boolean =>
  time !== "" &&
  !/^(?:(?:as of|of|from|since|for|starting|effective) )?(?:now|today|2day|tonight|this (?:morning|afternoon|evening)|right now|yesterday.*|last .*|.* ago)$|\b(?:further notice|yesterday|ago)\b/i.test(
    time,
  );

const atOnce = (done: string) => (time: string) =>
  isAhead(time) ? `I can't plan that for later, nor end it by myself. An account is ${done} when you ask.` : undefined;

/** What opens a form is asked for one account. */
const oneByOne = ({ person }: Pick<Slots, "person">): string | undefined =>
  person.includes(" and ") ? "I do that for one account at a time. Each is confirmed in a form." : undefined;

const severalPolicies =
  "I detach one policy at a time: name it. Of a leaver, “offboard” detaches all of them, and disables the account.";

const disabling: Terms = {
  may: "account login go offboard phone unlock need all stop anymore",
  not: "mfa policy enable undo withdraw email unlocking",
  needs: "person",
  takes: "time",
  refuses: ({ time }) => atOnce("disabled")(time),
  isOpenEnded: true,
};

/** Accounts. */
export const accounts: readonly Frame[] = [
  // "is locked, please unlock"
  change("unlocking", "unlock {person}", {
    may: "login account disable lockedOut need",
    not: "mfa withdraw",
    needs: "person",
    refuses: oneByOne,
  }),
  change("unlock|lockedOut", "unlock {person}", {
    may: "login account reset up off enable phone need unlocking",
    not: "mfa disable withdraw",
    needs: "person",
    refuses: oneByOne,
  }),
  change("mfa reset|unlock|off|detach|end|disable|release|go|turnOff|lockedOut", "remove mfa {person}", {
    may: "account need phone lockedOut login go move enable up create unlock reset stop new change",
    not: "withdraw undo offboard",
    needs: "person",
    refuses: oneByOne,
  }),
  change("phone unlock|create", "unlock {person}", {
    may: "account need login reset lockedOut",
    not: "disable mfa withdraw",
    needs: "person",
    refuses: oneByOne,
  }),
  change("disable|turnOff|off|skip", "disable {person}", disabling),
  // "stop bob" may mean something else.
  change("stop", "disable {person}", { ...disabling, isGuess: true }),
  change("end|detach|keepOff login", "disable {person}", {
    may: "account go off stop all disable",
    not: "mfa policy enable undo withdraw email lockedOut",
    needs: "person",
    takes: "time",
    refuses: ({ time }) => atOnce("disabled")(time),
    isOpenEnded: true,
  }),
  change("end account", "disable {person}", {
    may: "login off disable all",
    not: "mfa policy enable undo withdraw email request",
    needs: "person",
    takes: "time",
    refuses: ({ time }) => atOnce("disabled")(time),
    isOpenEnded: true,
    isGuess: true,
  }),
  change("enable|turnOn|up", "enable {person}", {
    may: "account login go undo move create need all up newcomer",
    not: "mfa disable policy email withdraw",
    needs: "person",
    takes: "time",
    refuses: ({ time }) => atOnce("enabled")(time),
  }),
  change("offboard", "offboard {person}", {
    may: "account keep disable end go need all run start done",
    not: "enable undo withdraw",
    needs: "person",
    takes: "time",
    refuses: (slots) =>
      isAhead(slots.time) ? "I can't plan that for later: somebody is offboarded when you ask." : oneByOne(slots),
  }),
  change("", "user email {person} {address}", {
    may: "email move create account rename need change new correct instead up",
    needs: "person address",
    refuses: ({ address }) =>
      address.includes(" ") ? "Those are several addresses: give the new one only." : undefined,
  }),
  change(
    "detach|off|turnOff|end|reset|release|withdraw|go|stop",
    ({ person, policy }) => `user detach-policy ${person} "${policy}"`,
    {
      may: "policy account detach need go offboard disable keep anymore all off",
      needs: "person policy",
      refuses: ({ policies }) => (policies > 1 ? severalPolicies : undefined),
    },
  ),
  change("policy all|everything|series detach|reset|end|off|turnOff|go", "user {person}", {
    may: "policy account detach need go all everything off mine allowed series turnOff",
    not: "attach",
    needs: "person",
    refuses: () => severalPolicies,
  }),
];
