import type { AppShown, DrawnPlace, PersonShown } from "../../wire.ts";

export interface Completion {
  readonly text: string;
  readonly hint: string;
  /** Replaces the typed word; null for a shortcut, which runs instead. */
  readonly insert: string | null;
}

export interface Directory {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly places: readonly DrawnPlace[];
}

/** The word before the cursor, if it can be completed. */
export function completableWord(before: string): string {
  return /^\/\S*$|(?<=^|\s)[@#][\w.-]*$/.exec(before)?.[0] ?? "";
}

/** Commands and shortcuts after a slash, the app and people after @, channels after #. */
export function completionsFor(word: string, directory: Directory): readonly Completion[] {
  const prefix = word.toLowerCase();
  return candidates(word.charAt(0), directory).filter(({ text, insert }) =>
    (insert ?? `/${text}`).toLowerCase().startsWith(prefix),
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
      return [
        { text: `@${app.name}`, hint: "App", insert: `@${app.name} ` },
        ...people.map(({ handle, name }) => ({ text: `@${handle}`, hint: name, insert: `@${handle} ` })),
      ];
    case "#":
      return places
        .filter(({ kind }) => kind === "public" || kind === "private")
        .map(({ where }) => ({ text: `#${where}`, hint: "", insert: `#${where} ` }));
    default:
      return [];
  }
}
