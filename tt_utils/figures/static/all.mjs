/** Every figure, in the book's order. */

import "./tt-dot-product.mjs";
import "./tt-soft-lookup.mjs";
import "./tt-scale.mjs";
import "./tt-masks.mjs";
import "./tt-clocks.mjs";
import "./tt-architecture.mjs";
import "./tt-film.mjs";
import "./tt-digit.mjs";
