// The galleries are in English. Their links keep the language of the page.

const lang = new URLSearchParams(location.search).get("lang");

/** The query of a link to another page. */
export const query = lang ? `?${new URLSearchParams({ lang })}` : "";
