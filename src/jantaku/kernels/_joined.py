"""Faster linker: every function is compiled once, and only entries become machine code.

By default, Numba generates machine code and a Python wrapper for every function, and optimises everything a
function calls again for each caller. Here, a function called from compiled code is only translated to LLVM's
intermediate representation: a ``kernel`` is inlined into its callers and optimised there, a ``routine`` is
optimised once on its own. An entry, which is a function called from Python, is linked with all the routines
it needs and becomes machine code. Compiling then takes a third of the time, and the cache holds only entries.

This relies on Numba internals, so it supports only the tested versions (``_backend.TESTED``).
"""

import hashlib
from typing import Any, Final

import llvmlite.binding as llvm
from numba.core import compiler, dispatcher, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

from jantaku.kernels._integers import pipelines, widened

_ENVIRONMENT: Final = "_ZN08NumbaEnv"  # prefix of the environment that a function needs in order to raise


class _JoinedLibrary(JITCodeLibrary):
    """Code of one function with its callees inlined; routines that it calls are only declared."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.routines: dict[_RoutineLibrary, None] = {}  # each once, after all the routines that it calls

    def _join(self) -> None:
        """Link in the inlined code and collect the routines called by it and by this function."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if isinstance(library, _JoinedLibrary):
                self.routines.update(library.routines)
            if isinstance(library, _RoutineLibrary):
                self.routines[library] = None
            else:
                self._final_module.link_in(_shared(library), preserve=True)

    def _optimize_final_module(self) -> None:
        """Run LLVM's full optimisation without the cheap passes that Numba runs before it.

        Those passes merge reference counts, which kernels do not have, and change loops in a way that
        prevents LLVM from unrolling them: the shanten calculation takes 2.5 times as long.
        """
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _add_routines(self, module: Any) -> None:
        # callers first: LLVM links only symbols that are already referenced
        for library in reversed(self.routines):
            module.link_in(_shared(library), preserve=True)


class _InlinedLibrary(_JoinedLibrary):
    """Code of a function that is inlined into its callers."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._join()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the module for a caller compiled by stock Numba, including routines."""
        module = _shared(self).clone()
        self._add_routines(module)
        return module


class _RoutineLibrary(_InlinedLibrary):
    """Code of a function that is too large to inline, optimised on its own."""

    def finalize(self) -> None:
        super().finalize()
        self._optimize_final_module()


class _EntryLibrary(_JoinedLibrary):
    """Machine code of a function called from Python, with all the routines it needs."""

    def finalize(self) -> None:
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        self._join()
        self._optimize_final_module()
        own = _defined(self._final_module)
        self._add_routines(self._final_module)
        self._drop_unused(own)
        self._final_module.verify()
        self._finalize_final_module()

    def _drop_unused(self, own: set[str]) -> None:
        """Remove arguments that a routine does not read or that every caller passes as the same constant.

        A table occupies seven arguments and a context over a hundred, and most routines read few of them:
        passing them on would take two fifths of the time of a random game.

        As a result, each entry (``own`` are its functions) has its own variant of a routine, so the new name
        of the routine includes the entry. LLVM's run-time linker finds internal functions by name too, and
        code compiled by stock Numba would otherwise call the wrong variant. Numba's own names spell out the
        types of all tables and would take more space than the code.
        """
        routines, entry = _defined(self._final_module) - own, digest(sorted(own))
        for number, name in enumerate(sorted(routines)):
            function = self._final_module.get_function(name)
            function.linkage = "internal"  # LLVM then knows all callers
            function.name = f"r{number}.{entry}"
        for variable in self._final_module.global_variables:  # only the entry's own environment is ever set
            if (
                variable.name.startswith(_ENVIRONMENT)
                and variable.name.replace(_ENVIRONMENT, "_ZN") not in own
            ):
                variable.linkage = "internal"
        passes = llvm.create_new_module_pass_manager()
        passes.add_ipsccp_pass()
        passes.add_dead_arg_elimination_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(self._final_module, self._codegen._pass_builder())


def digest(names: list[str]) -> str:
    """Return a short name for the functions of an entry."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


def _defined(module: Any) -> set[str]:
    """Return the names of the functions that a module defines."""
    return {function.name for function in module.functions if not function.is_declaration}


def _shared(library: Any) -> Any:
    """Return a library's module for linking; for this module's libraries, without the routines they call."""
    if isinstance(library, _InlinedLibrary):
        return super(_InlinedLibrary, library)._get_module_for_linking()  # type: ignore[no-untyped-call]
    return library._get_module_for_linking()


def _compiler(library_class: type[_JoinedLibrary]) -> type[compiler.Compiler]:
    """Return Numba's compiler, producing libraries of the given class."""

    class Compiler(compiler.Compiler):
        def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
            library = library_class(targetctx.codegen(), "jantaku")
            if library_class is _EntryLibrary:
                library.enable_object_caching()
            else:
                flags = rest[2]
                flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            super().__init__(typingctx, targetctx, library, *rest)  # type: ignore[no-untyped-call]

        def define_pipelines(self) -> list[Any]:
            return pipelines(self.state)

    return Compiler


_ENTRY, _INLINED, _ROUTINE = map(_compiler, (_EntryLibrary, _InlinedLibrary, _RoutineLibrary))


_functions: Any = dispatcher  # Numba's type hints omit the attributes used here
_templates: Any = typing


class KernelDispatcher(CPUDispatcher):
    """A compiled function: an entry when called from Python, linked in when called from compiled code."""

    def __init__(self, py_func: Any, targetoptions: dict[str, Any], cache: Any) -> None:
        super().__init__(py_func, targetoptions=dict(targetoptions), pipeline_class=_ENTRY)
        self._cache = cache
        pipeline = _INLINED if targetoptions.get("forceinline") else _ROUTINE
        self._linker: Any = _functions._FunctionCompiler(
            py_func, self.targetdescr, dict(targetoptions), {}, pipeline
        )
        self._linked: dict[tuple[Any, ...], tuple[object, Any]] = {}

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, Any]:
        """Return the template that Numba's type inference needs for a call from compiled code."""
        pysig, args = self._linker.fold_argument_types(args, kws)
        args = tuple(map(widened, args))
        signatures = [self._link(args).signature]
        name = self.py_func.__name__
        template = _templates.make_concrete_template(f"Call({name})", key=name, signatures=signatures)
        return template, pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        """Return the key under which Numba knows the code for these argument types."""
        return self._linked[tuple(sig)][0]

    @global_compiler_lock
    def _link(self, args: tuple[Any, ...]) -> Any:
        if args not in self._linked:
            key: Final = object()
            made = self._linker.compile(args, None)
            self.targetctx.insert_user_function(key, made.fndesc, [made.library])
            self._linked[args] = key, made
        return self._linked[args][1]


DISPATCHER: Final = KernelDispatcher


def prepare(target_context: Any) -> None:
    """Set up the memory functions that stored code calls; loading the compiler would take half a second."""
    rtsys.initialize(target_context)


def reduced(result: Any) -> tuple[Any, ...]:
    """Return the stored form of an entry, without the annotated source and LLVM code that nothing reads."""
    (name, kind, (code, _)), *rest = result._reduce()
    rest[5] = ""
    return (name, kind, (code, _symbols_only(result.library))), *rest


def _symbols_only(library: Any) -> bytes:
    """Return a module that only defines the library's symbols: Numba needs their names, not the code."""
    module = library._final_module
    symbols = (
        symbol.name
        for group in (module.functions, module.global_variables)
        for symbol in group
        if not symbol.is_declaration and symbol.linkage != llvm.Linkage.internal
    )
    text = "\n".join(f'@"{name}" = constant i8 0' for name in symbols)
    return bytes(llvm.parse_assembly(text).as_bitcode())
