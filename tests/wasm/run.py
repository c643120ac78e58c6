"""Runs the program in wasmtime: `python run.py KILOBYTES module.wasm CALL ..`, with the calls of run.mjs.

KILOBYTES is the size of the stack that wasmtime gives a program; its default is 512.
"""

import sys

from wasmtime import Config, Engine, Linker, Module, Store, Trap, WasiConfig

kilobytes, path, call, *rest = sys.argv[1:]
config = Config()
config.wasm_exceptions = True
config.max_wasm_stack = int(kilobytes) * 1024
engine = Engine(config)
module = Module.from_file(engine, path)


class Program:
    def __init__(self):
        self.store = Store(engine)
        self.store.set_wasi(WasiConfig())
        linker = Linker(engine)
        linker.define_wasi()
        self.exports = linker.instantiate(self.store, module).exports(self.store)
        if "_initialize" in self.exports:
            self.call("_initialize")

    def call(self, name, *arguments):
        return self.exports[name](self.store, *arguments)

    def result(self, at):
        return self.exports["memory"].read(self.store, at, at + self.call("length"))


def print_bytes(text):
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


program = Program()
if call == "deep":
    traps = 0
    shapes, verbs = program.call("shapes"), program.call("verbs")
    for pieces in map(int, rest):
        for shape in range(shapes):
            for verb in range(verbs):
                try:
                    program.call("run", shape, verb, pieces)
                except Trap as trap:
                    program = Program()
                    name = program.result(program.call("names", shape, verb)).decode()
                    reason = str(trap).splitlines()[-1]
                    print(f"trap with {pieces} pieces: {name}: {reason}", flush=True)
                    traps += 1
    print(f"{shapes * verbs * len(rest)} calls, {traps} traps")
    sys.exit(traps != 0)
elif call == "deepest":
    print_bytes(program.result(program.call("deepest")))
else:
    for file in rest:
        with open(file, "rb") as script:
            text = script.read()
        at = program.call("input", len(text))
        program.exports["memory"].write(program.store, text, at)
        print_bytes(program.result(program.call(f"{call}_of_text")))
