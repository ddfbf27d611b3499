import type { AppShown, DrawnPlace, PersonShown } from "../wire.ts";

export interface Completion {
  readonly text: string;
  readonly hint: string;
  /** What takes the place of the word that was begun; nothing for a shortcut, which is run instead. */
  readonly insert: string | null;
}

export interface Directory {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly places: readonly DrawnPlace[];
}

/** The word at the end of what stands before the cursor, when it is one that can be completed. */
export function begunWord(before: string): string {
  return /^\/\S*$|(?<=^|\s)[@#][\w.-]*$/.exec(before)?.[0] ?? "";
}

/** What the begun word could become: commands and shortcuts after a slash, people after @, channels after #. */
export function completionsFor(word: string, known: Directory): readonly Completion[] {
  const begun = word.toLowerCase();
  return candidates(word.charAt(0), known).filter(({ text, insert }) =>
    (insert ?? `/${text}`).toLowerCase().startsWith(begun),
  );
}

function candidates(sign: string, { app, people, places }: Directory): readonly Completion[] {
  switch (sign) {
    case "/":
      return [
        ...app.commands.map(({ command, usageHint, description }) => ({
          text: `${command} ${usageHint}`,
          hint: description,
          insert: `${command} `,
        })),
        ...app.shortcuts
          .filter(({ kind }) => kind === "global")
          .map(({ name }) => ({ text: name, hint: `Shortcut · ${app.name}`, insert: null })),
      ];
    case "@":
      return people.map(({ handle, name }) => ({ text: `@${handle}`, hint: name, insert: `@${handle} ` }));
    case "#":
      return places
        .filter(({ kind }) => kind === "public" || kind === "private")
        .map(({ where }) => ({ text: `#${where}`, hint: "", insert: `#${where} ` }));
    default:
      return [];
  }
}
