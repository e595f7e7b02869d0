/** Every figure of the book; and what the tests ask of the translator's engine. */

import "./clocks.mjs";
import "./dot-product.mjs";
import "./masks.mjs";
import "./scale.mjs";
import "./soft-lookup.mjs";
import "./translator.mjs";
import { Model } from "./model.mjs";
import { translate } from "./translation.mjs";

export { Model, translate };
