import { isJsonObject, type JsonObject } from "../json-object.ts";

export interface PlacedElement {
  readonly element: JsonObject;
  /** Where it stands inside its block, as the tail of a JSON pointer. */
  readonly path: string;
}

/** The elements of a block that a person can act on. */
export function elementsOf(block: JsonObject): readonly PlacedElement[] {
  const inside = block.type === "actions" && Array.isArray(block.elements) ? block.elements : [];
  const places: readonly (readonly [string, unknown])[] = [
    ["/accessory", block.type === "section" ? block.accessory : undefined],
    ["/element", block.type === "input" ? block.element : undefined],
    ...inside.map((element: unknown, index) => [`/elements/${index}`, element] as const),
  ];
  return places.flatMap(([path, element]) => (isJsonObject(element) ? [{ path, element }] : []));
}
