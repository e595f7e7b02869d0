/** Every figure, in the book's order; and what the tests ask of the translator's engine. */

import "./tt-dot-product.mjs";
import "./tt-soft-lookup.mjs";
import "./tt-scale.mjs";
import "./tt-masks.mjs";
import "./tt-clocks.mjs";
import "./tt-translator.mjs";
import { translate } from "./greedy.mjs";
import { Model } from "./model-file.mjs";

export { Model, translate };
