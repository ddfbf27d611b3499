import { parseSync } from "oxc-parser";
import { z } from "zod";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

const literal = z.object({ type: z.literal("Literal"), value: z.string() });
const template = z.object({
  type: z.literal("TemplateLiteral"),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
});
const called = z.object({ type: z.enum(["CallExpression", "NewExpression"]), callee: z.custom<Node>(isNode) });
const split = z.object({
  type: z.literal("MemberExpression"),
  property: z.object({ type: z.literal("Identifier"), name: z.literal("split") }),
});

/** The texts of several words in a source file: not those for the log and for errors that nobody sees, and no lists of words. */
export function textsIn(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value) || isForNobody(value, source)) return;
    const text = textOf(value);
    if (text !== undefined && isProse(text)) found.push(text);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync("file.ts", source).program);
  return found;
}

function textOf(node: Node): string | undefined {
  const parts = template.safeParse(node).data?.quasis.map(({ value }) => value.cooked);
  return literal.safeParse(node).data?.value ?? parts?.join("…");
}

function isForNobody(node: Node, source: string): boolean {
  if (node.type === "ImportDeclaration" || node.type === "TSLiteralType" || split.safeParse(node).success) return true;
  const callee = called.safeParse(node).data?.callee;
  return (
    callee !== undefined &&
    /(?:\blog\??\.\w+|\blogWithReference|Error|^super)$/.test(source.slice(callee.start, callee.end))
  );
}

const isProse = (text: string): boolean =>
  /[\p{L}’']{2,}[,.:]? [\p{L}“…]|… \p{L}{2,}/u.test(text) && !text.includes("|");
