/** The pages that figures lead to. */

import { h } from "./dom.mjs";

/** The published book; `_config.yml` names the address, and a test compares. */
export const BOOK = "https://transformer-textbook.github.io/transformer-textbook/";

export const CHAPTERS = {
  "02": ["02_tokens_and_embeddings", "Tokens and embeddings"],
  "06": ["06_self_attention", "Self-attention that learns"],
  "07": ["07_many_heads", "Many heads"],
  "08": ["08_masks", "Masks"],
  "09": ["09_position", "Position"],
  "10": ["10_feed_forward_residual_norm", "Feed-forward, residual, norm"],
  "11": ["11_encoder", "The encoder"],
  "12": ["12_decoder", "Decoder and cross-attention"],
  "13": ["13_whole_model", "The whole model"],
};

export const GLOSSARY = "book/glossary.html";

/** The page of a chapter. */
export const pageOf = (number) => `notebooks/${CHAPTERS[number][0]}.html`;

/** What links to a page of the book; where this page doesn't lead there, the text alone. */
export function reference(href, text) {
  // A notebook stays open beside the book.
  const target = href?.startsWith(BOOK) && !location.href.startsWith(BOOK) ? "_blank" : "";
  return href ? h("a", { href, target }, text) : text;
}

/**
 * Where a page of the book is read: beside this one, if it has it; elsewhere as published.
 *
 * @param {string} page
 * @param {string | false} place  Of the script, in the book.
 * @returns {string | null}
 */
export function addressOf(page, place) {
  if (!place) return BOOK + page;
  if (!addresses.has(page)) {
    const { href } = new URL(`../${page}`, place);
    const listed = [...document.links].some((link) => link.href.split("#")[0] === href);
    addresses.set(page, listed ? href : null);
  }
  return addresses.get(page);
}

const addresses = new Map();
