// A filter expression as clauses that AND joins, and the clause that selects values of one field.

const TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()[\],]|[!<>]?=|[<>]|[^\p{White_Space}()[\],=!<>"']+/gsu;

/** Splits an expression at the AND outside of parentheses. An OR outside of them makes it one clause. Clauses are lists of tokens. */
export function split(where) {
  const clauses = [[]];
  let depth = 0;
  let hasOr = false;
  const tokens = (where ?? "").match(TOKEN) ?? [];
  for (const token of tokens) {
    depth += (token === "(") - (token === ")");
    hasOr ||= !depth && token === "OR";
    if (!depth && token === "AND") clauses.push([]);
    else clauses.at(-1).push(token);
  }
  if (hasOr) return [["(", ...tokens, ")"]];
  return clauses.filter((clause) => clause.length);
}

/** The text of a token. In quotes, a backslash escapes the quote and itself. Before another character it stands for itself. */
export function unquote(token) {
  if (!/^["']/.test(token)) return token;
  return token.slice(1, -1).replace(/\\([\\"'])/g, (pair, next) => (next === "\\" || next === token[0] ? next : pair));
}

const KEYWORD = /^(AND|OR|NOT|TO|IN|EXISTS)$/;
const quoteField = (field) => (/^[^\p{White_Space}()[\],=!<>"']+$/u.test(field) && !KEYWORD.test(field) ? field : quote(field));
const quote = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** The tokens of the values that a clause selects in `field`: of `field = value` or `field IN [...]`. Undefined for other clauses. */
function valueTokens(clause, field) {
  const [name, operator, ...rest] = clause;
  if (!name || unquote(name) !== field) return;
  if (operator === "=" && rest.length === 1) return rest;
  if (operator === "IN") return rest.filter((token) => !/^[[\],]$/.test(token));
}

/** A field in the parameters `field` and `sort`, where a comma parts names, and `-` before one sorts it descending. */
export const fieldParameter = (field) => (/^[^\p{White_Space}"',-][^"',]*$/u.test(field) ? field : quote(field));

const selectedValues = (clause, field) => valueTokens(clause, field)?.map(unquote);

/** The expression of clauses. */
export function serialize(clauses) {
  return clauses.map((clause) => clause.join(" ")).join(" AND ");
}

/**
 * The conditions that a reader can remove, each with the `rest` of the expression: clauses, or the values of a clause that
 * selects several in one field, as `field IN [...]` or with OR.
 */
export function splitConditions(where) {
  const clauses = split(where);
  return clauses.flatMap((clause, k) => {
    const without = (...others) => serialize(clauses.toSpliced(k, 1, ...others));
    const alternatives = [[]];
    for (const token of clause[0] === "(" ? clause.slice(1, -1) : clause) {
      if (token === "OR") alternatives.push([]);
      else alternatives.at(-1).push(token);
    }
    const name = alternatives[0][0] ?? "";
    const values = alternatives.flatMap((alternative) => valueTokens(alternative, unquote(name)) ?? [null]);
    if (values.length < 2 || values.includes(null)) return { clause, rest: without() };
    return values.map((value, v) => {
      const others = values.toSpliced(v, 1);
      const tokens = others.length > 1 ? ["IN", "[", others.join(" , "), "]"] : ["=", others[0]];
      return { clause: [name, "=", value], rest: without([name, ...tokens]) };
    });
  });
}

/** The values of a field that an expression selects, and the `rest` of the expression. */
export function valuesOf(where, field) {
  const clauses = split(where);
  const isOwn = (clause) => selectedValues(clause, field);
  const rest = serialize(clauses.filter((clause) => !isOwn(clause)));
  return { values: clauses.flatMap((clause) => isOwn(clause) ?? []), rest };
}

/** The `lower` and the `upper` bound of a field in an expression, as text, and the `rest` of the expression. */
export function rangeOf(where, field) {
  const range = { rest: [] };
  for (const clause of split(where)) {
    const [name, operator, value, last] = clause;
    let bounds = {};
    if (unquote(name) === field) {
      if (value === "TO" && clause.length === 4) bounds = { lower: unquote(operator), upper: unquote(last) };
      else if (operator === ">=" && clause.length === 3) bounds = { lower: unquote(value) };
      else if (operator === "<=" && clause.length === 3) bounds = { upper: unquote(value) };
    }
    const limits = Object.keys(bounds);
    if (limits.length && limits.every((limit) => range[limit] === undefined)) Object.assign(range, bounds);
    else range.rest.push(clause); // a second limit stays a filter of its own
  }
  return { ...range, rest: serialize(range.rest) };
}

/** The expression `rest` with a clause that selects items from `lower` to `upper` in `field`. These are texts, or empty. */
export function withRange(rest, field, lower, upper) {
  const name = quoteField(field);
  const range = lower && upper ? `${name} ${lower} TO ${upper}` : lower ? `${name} >= ${lower}` : upper && `${name} <= ${upper}`;
  return [rest, range].filter((part) => part).join(" AND ");
}

/** The expression `rest` with a clause that selects items that have any of the `values` in `field`. Values are texts. */
export function withValues(rest, field, values) {
  const [first, ...more] = values.map(quote);
  const name = quoteField(field);
  const clause = more.length ? `${name} IN [${[first, ...more].join(", ")}]` : first && `${name} = ${first}`;
  return [rest, clause].filter((part) => part).join(" AND ");
}
