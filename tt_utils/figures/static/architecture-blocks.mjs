/** The blocks of figure 1 of "Attention Is All You Need": what each does, and where it is explained. */

/**
 * @typedef {object} Block
 * @property {string} id
 * @property {"encoder" | "decoder" | undefined} stack  The layer that it is part of.
 * @property {string} name  As a sentence names it.
 * @property {string[]} label  The lines that stand in the drawing.
 * @property {string[]} chapters  Which explain it; the last one completes it.
 * @property {string} does
 * @property {string} takes  A shape.
 * @property {string} gives  A shape.
 * @property {string} file  Of the package, with the lines that do it.
 * @property {string[]} code
 * @property {string} tensor  What gives the same tensor in PyTorch; `#` is the layer.
 */

const SIDES = {
  source: { t: "t_src", stack: "encoder", table: "src_embedding" },
  target: { t: "t_tgt", stack: "decoder", table: "tgt_embedding" },
};

/** What goes round comes back: the wrapper of every sub-layer. */
const AFTER = "return self.norm(x + self.dropout(sublayer(x)))";
const BEFORE = "return x + self.dropout(sublayer(self.norm(x)))";
const LAYERS = "blocks/layers.py";

const embedding = (side) => {
  const { t, table } = SIDES[side];
  return [
    {
      id: `${side}.embedding`, name: `embedding of the ${side}`, label: ["embedding"],
      chapters: ["02"], takes: t, gives: `${t} × d_model`, tensor: `${table}.rows`,
      does: "Each id picks its row of a learned table; the row is scaled by √d_model.",
      file: "blocks/embedding.py",
      code: ["rows = look_up(self.table, tokens)",
        "return self.dropout(self.positions(rows * self.scale, start, pads))"],
    },
    {
      id: `${side}.position`, name: `position in the ${side}`, label: ["+ position"],
      chapters: ["09"], takes: `${t} × d_model`, gives: `${t} × d_model`, tensor: table,
      does: "Adds to row p the hands of clock p, so that the order of the words is not lost.",
      file: "blocks/positions.py", code: ["return x + self.table[start:end]"],
    },
  ];
};

const attention = {
  encoder: {
    id: "encoder.self_attention", name: "self-attention", label: ["self-attention"],
    chapters: ["06", "07"],
    does: "Each position attends to all positions of its sentence, and gathers a mix of their "
      + "values.",
    code: ["lambda y: self.self_attention(y, y, y, mask, causal=causal, cache=cache)[0],"],
  },
  decoder: {
    id: "decoder.self_attention", name: "masked self-attention",
    label: ["masked", "self-attention"], chapters: ["08"],
    does: "Each position attends to itself and to those before it. The causal mask hides the "
      + "later ones.",
    code: ["x, lambda y: self.self_attention(y, y, y, causal=causal, cache=own)[0]"],
  },
  cross: {
    id: "decoder.cross_attention", name: "cross-attention", label: ["cross-attention"],
    chapters: ["12"], takes: "t_tgt × d_model, memory t_src × d_model",
    does: "Each target position attends to the source: queries from the decoder, "
      + "keys and values from the memory.",
    code: ["lambda y: self.cross_attention(y, memory, memory, src_mask, cache=cross)[0],"],
  },
};

const feedForward = (stack) => ({
  id: `${stack}.feed_forward`, name: "feed-forward", label: ["feed-forward"], chapters: ["10"],
  does: "Each position by itself: widened to d_ff numbers, the negative ones set to zero, "
    + "narrowed again.",
  code: ["wide = self.activation(self.widen(x))", "return self.narrow(self.dropout(wide))"],
});

/** A sub-layer with its norm and its sum, in the order in which the vectors meet them. */
function wrapped(stack, n, part, normFirst) {
  const place = `${stack}.layers.#`;
  const add = { id: `${stack}.add_${n}`, chapters: ["10"], tensor: `${place}.residuals.${n - 1}` };
  const sub = { ...part, tensor: `${place}.${part.id.split(".")[1]}` };
  if (!normFirst) {
    return [sub, {
      ...add, name: `add & norm after ${part.name}`, label: ["add & norm"], code: [AFTER],
      does: `What the ${part.name} gives is added to what went round it; then each row is `
        + "normalised.",
    }];
  }
  return [{
    id: `${stack}.norm_${n}`, name: `norm before ${part.name}`, label: ["norm"], chapters: ["10"],
    tensor: `${add.tensor}.norm`, code: [BEFORE],
    does: `Brings each row to mean 0 and variance 1, then stretches and shifts it, for the `
      + `${part.name} alone: the road round it stays as it was.`,
  }, sub, {
    ...add, name: `sum after ${part.name}`, label: ["+"], code: [BEFORE],
    does: `What the ${part.name} gives is added to what went round it.`,
  }];
}

function stackOf(side, parts, normFirst) {
  const { t, stack } = SIDES[side];
  const shape = `${t} × d_model`;
  const layer = parts.flatMap((part, i) => wrapped(stack, i + 1, part, normFirst));
  const decoder = stack === "decoder";
  return [
    ...layer.map((block) => ({ stack, takes: shape, gives: shape, file: LAYERS, ...block })),
    {
      id: stack, stack, name: `${stack}, N layers`, label: [stack],
      chapters: [decoder ? "12" : "11"], takes: decoder ? attention.cross.takes : shape,
      gives: shape, tensor: `${stack}.layers.#.residuals.${parts.length - 1}`,
      does: decoder ? "N layers in a row; all of them attend to the same memory."
        : "N layers in a row: each reads what the one before wrote. The last one's rows are "
          + "the memory.",
      file: "blocks/stacks.py",
      code: [decoder ? "x = layer(x, memory, src_mask, causal=causal, cache=cache)"
        : "x = layer(x, mask, causal=causal, cache=cache)"],
    },
    ...(normFirst ? [{
      id: `${stack}.norm`, name: `norm after the ${stack}`, label: ["norm"], chapters: ["10"],
      takes: shape, gives: shape, tensor: `${stack}.norm`,
      does: `In a pre-norm ${stack} nothing normalises the road itself: one norm at its end does.`,
      file: "blocks/stacks.py", code: ["return self.norm(x)"],
    }] : []),
  ];
}

/**
 * All blocks, in the order in which the numbers pass them.
 *
 * @param {boolean} normFirst  As in a pre-norm model, else as in the paper.
 * @returns {Block[]}
 */
export function blocksOf(normFirst) {
  return [
    {
      id: "source.tokens", name: "source tokens", label: ["source tokens"], chapters: ["02"],
      takes: "words", gives: "t_src", file: "data/tokenizer.py", tensor: "source",
      does: "Each word becomes its number in the vocabulary; one more says that the sentence ends.",
      code: ["return [self.typed.get(word, UNK) for word in words]"],
    },
    ...embedding("source"),
    ...stackOf("source", [attention.encoder, feedForward("encoder")], normFirst),
    {
      id: "target.tokens", name: "target tokens, shifted", label: ["target, shifted"],
      chapters: ["12"], takes: "words", gives: "t_tgt", file: "data/batching.py", tensor: "target",
      does: "What is written so far, one position to the right: it begins with <s>, and row i says "
        + "word i + 1.",
      code: ["tgt=pad([[bos_id, *tgt] for _, tgt in pairs], pad_id),"],
    },
    ...embedding("target"),
    ...stackOf("target", [attention.decoder, attention.cross, feedForward("decoder")], normFirst),
    {
      id: "linear", name: "linear", label: ["linear"], chapters: ["13"], tensor: "generator",
      takes: "t_tgt × d_model", gives: "t_tgt × vocab", file: "models/transformer.py",
      does: "Compares each row with every word of the vocabulary: one score each, its logit.",
      code: ["return self.generator(self.decode(tgt, self.encode(src, src_mask), src_mask))"],
    },
    {
      id: "softmax", name: "softmax", label: ["softmax"], chapters: ["13"], tensor: "softmax",
      takes: "t_tgt × vocab", gives: "t_tgt × vocab", file: "decoding/search.py",
      does: "Makes each row of logits a row of probabilities, which add up to 1.",
      code: ["shares = keep_likeliest(scaled, top_k, top_p).softmax(dim=-1)"],
    },
    {
      id: "word", name: "next word", label: ["next words"], chapters: ["13"], tensor: "softmax",
      takes: "t_tgt × vocab", gives: "t_tgt", file: "decoding/search.py",
      does: "The likeliest word of each row; that of the last row is written, and read next.",
      code: ["return generate(stepper, lambda logits: logits.argmax(dim=-1))"],
    },
  ];
}

/** Both drawings' blocks by name: a state may name any of them. */
export const NAMES = [...new Set([true, false].flatMap(blocksOf).map(({ id }) => id))];

/** The sentence whose words stand in the drawing while no model runs. */
export const EXAMPLE = {
  "source.tokens": "the ball is blue end",
  "target.tokens": "start la bola es azul",
  word: "la bola es azul end",
};

/**
 * How far the book is with a block: explained before this chapter, in it, or later.
 *
 * @param {Block} block
 * @param {number} chapter
 * @returns {"known" | "now" | "later"}
 */
export function status({ stack, chapters }, chapter) {
  if (chapter === { encoder: 11, decoder: 12 }[stack]) return "now";
  const explained = Number(chapters.at(-1));
  if (explained === chapter) return "now";
  return explained < chapter ? "known" : "later";
}
