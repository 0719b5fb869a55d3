// The text of a filter clause for readers.
import { serialize, unquote } from "./clauses.js";

const SIGNS = { __proto__: null, "!=": "≠", "<=": "≤", ">=": "≥", "<": "<", ">": ">" };

/**
 * A clause for readers: `Year: 1800 – 1850 or not Artist: Blake`. `formatter` writes names and values of fields. `messages` has the
 * operators: `and`, `or`, `not`, `present` and `absent`. A clause that is not an expression stays as it is spelled.
 */
export function clauseText(clause, formatter, messages) {
  const tokens = clause[0] === "(" ? clause.slice(1, -1) : [...clause]; // parentheses around all are of no use
  try {
    return new ClauseParser(tokens, formatter, messages).text();
  } catch {
    return serialize([clause]); // the server says what is wrong with it
  }
}

/** Reads tokens by recursive descent. The method of a rule takes the tokens of the rule, and returns their text. Other tokens throw a SyntaxError. */
class ClauseParser {
  #tokens;
  #formatter;
  #messages;

  constructor(tokens, formatter, messages) {
    [this.#tokens, this.#formatter, this.#messages] = [tokens, formatter, messages];
  }

  text() {
    const text = this.#alternatives();
    expect(!this.#tokens.length);
    return text;
  }

  /** `a AND b OR c` */
  #alternatives() {
    const { and, or } = this.#messages;
    return this.#joined("OR", or, () => this.#joined("AND", and, () => this.#term()));
  }

  #joined(keyword, word, part) {
    const parts = [part()];
    while (this.#accept(keyword)) parts.push(part());
    return parts.join(` ${word} `);
  }

  /** `(a OR b)`, `NOT a`, or a comparison */
  #term() {
    if (this.#accept("(")) {
      const inner = this.#alternatives();
      expect(this.#accept(")"));
      return `(${inner})`;
    }
    if (!this.#accept("NOT")) return this.#comparison();
    if (this.#tokens[1] === "EXISTS") return this.#comparison(this.#messages.absent);
    const negated = this.#term();
    return this.#messages.not.replace("{filter}", () => negated);
  }

  /** `field EXISTS`, `field = value`, `field < value`, `field IN [value, value]`, or `field value TO value` */
  #comparison(existence = this.#messages.present) {
    const field = unquote(this.#next());
    const label = this.#formatter.label(field);
    const value = (token = this.#next()) => this.#formatter.format(unquote(token), field);
    const operator = this.#next();
    if (operator === "EXISTS") return `${label}: ${existence}`;
    if (operator === "=") return `${label}: ${value()}`;
    if (operator === "IN") return `${label}: ${this.#list(value)}`;
    if (SIGNS[operator]) return `${label} ${SIGNS[operator]} ${value()}`;
    expect(this.#accept("TO"));
    return `${label}: ${value(operator)} – ${value()}`;
  }

  /** `[value, value]` */
  #list(value) {
    const values = [];
    while (this.#accept("[") || this.#accept(",")) if (this.#tokens[0] !== "]") values.push(value());
    expect(this.#accept("]"));
    return values.join(", ");
  }

  #accept(token) {
    return this.#tokens[0] === token && this.#tokens.shift();
  }

  #next() {
    return expect(this.#tokens.shift());
  }
}

function expect(value) {
  if (!value) throw new SyntaxError("This is no expression.");
  return value;
}
