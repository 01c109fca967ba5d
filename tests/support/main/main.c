#include "testing.h"

int main(void) {
    return run_test_list();
}
