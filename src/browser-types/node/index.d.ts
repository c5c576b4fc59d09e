// A dependency (wllama) asks for Node's types, which would let the page's code name what no browser has. It gets none.
export {};
