/*-------------------------------------------------------------------------
 *
 * wasm_tag.c
 *	  The exception of longjmp in WebAssembly, which carries a pointer.
 *
 * In a file of its own: Clang 19 defines it in each file that throws it, and
 * later versions in none.
 *
 *-------------------------------------------------------------------------
 */
__asm__("	.weak	__c_longjmp\n"
		"	.tagtype	__c_longjmp i32\n"
		"__c_longjmp:\n");

typedef int not_empty;
